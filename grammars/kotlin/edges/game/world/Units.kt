package game.world

interface Moves {
    fun move(steps: Int): Int

    fun run(): Int {
        return move(2)
    }
}

abstract class Unit(val name: String) : Moves {
    open fun label(): String {
        return name
    }

    protected fun clean(text: String): String = text

    protected fun clean(text: String, mark: String): String = text + mark
}

class Knight(name: String, private val horse: Horse?) : Unit(name) {
    private val weapon = Weapon()
    private var guards: List<Knight> = emptyList()

    constructor(horse: Horse) : this("sir", horse)

    override fun move(steps: Int): Int {
        horse?.gallop()
        weapon.swing().rest()
        for (guard in guards) {
            guard.follow(this)
        }
        return guards.size
    }

    override fun label(): String {
        return super.label() + clean(name) + this.clean(name, "!")
    }

    fun follow(other: Knight) {
        other.label()
        fun label(): Int = 1
        label()
        run()
    }

    companion object {
        fun create(name: String): Knight {
            return Knight(name, null)
        }
    }

    inner class Squire {
        fun serve() {
            follow(create("x"))
        }
    }
}

class Horse {
    fun gallop() {
    }
}

class Weapon {
    fun swing(): Weapon = this

    fun rest() {
    }
}

enum class Rank {
    LOW,
    HIGH;

    fun next(): Rank = HIGH
}

object Registry {
    fun find(name: String): Knight? = null
}
