package game.app

import game.tools.Clock as Watch
import game.tools.greet
import game.tools.report
import game.tools.shout
import game.tools.Handler
import game.world.*
import vendor.Mailer

class Game(private val clock: Watch, private val handler: Handler) {
    private val knights: MutableList<Knight> = mutableListOf()
    private lateinit var mailer: Mailer

    fun start(anything: Any, moves: Moves, rank: Rank?) {
        val knight = Knight.create("a")
        knight.move(1)
        moves.move(2)
        clock.now()
        handler.handle(knight)
        knight.greet()
        "x".shout()
        report("x")
        report("x", 2)
        Registry.find("b")?.label()
        rank?.next()!!.next()
        val followed = (anything as Knight).follow(knight)
        Rank.HIGH.next()
        mailer.report("y")
        unknown(anything).gallop()
        unknown(anything).label()
        knights.forEach { it.label() }
        knights.map(::describe)
        Watch().now()
        with(knight) {
            helper()
        }
    }
}

private fun describe(knight: Knight): String = knight.label()

fun helper(): Game {
    return Game(Watch(), Handler { knight -> knight.label() })
}

val game = helper()

fun main() {
    game.start(1, Knight("x", Horse()), null)
}
