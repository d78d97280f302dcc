package game.other

class Knight {
    fun label(): String = ""

    fun describe() {
        label()
        helper()
        Knight().label()
    }
}
