package game.tools

import game.world.Horse
import game.world.Knight

fun report(line: String) {
}

fun report(line: String, level: Int) {
    report(line)
}

fun Knight.greet(): String {
    return label()
}

fun String.shout(): String = this

val Horse.speed: Int
    get() = 1

class Clock {
    fun now(): Long = 0
}

fun interface Handler {
    fun handle(knight: Knight)
}
