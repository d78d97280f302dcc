package flow

sealed class Shape {
    abstract fun area(): Int

    open fun name(): String = "shape"

    class Circle(val radius: Int) : Shape() {
        override fun area(): Int = square(radius)
    }

    data class Box(val side: Side) : Shape() {
        override fun area(): Int = side.length()

        override fun name() = super.name()
    }
}

data class Side(val size: Int) {
    fun length(): Int = size

    infix fun plus(other: Side): Side = Side(size + other.length())
}

typealias Boxes = List<Shape.Box>

fun square(number: Int): Int = number * number

val unit: Side = Side(1)

interface Listener {
    fun onShape(shape: Shape)
}

class Canvas(listener: Listener) : Listener by listener {
    private val shapes = mutableListOf<Shape>()
    private var last: Shape? = null
    val front: Shape
        get() = shapes.first()

    init {
        reset()
    }

    private fun reset() {
        shapes.clear()
    }

    fun add(shape: Shape, boxes: List<Shape.Box>, byName: Map<String, Side>) {
        last?.let { it.area() }
        last?.also { old -> old.name() }
        boxes.filter { it.side.length() > 1 }.forEach { box -> box.area() }
        boxes.map { it.side }.first().area()
        boxes.first().area()
        byName["x"]!!.length()
        for ((name, side) in byName) {
            println(name)
        }
        val joined = unit plus shape.toSide()
        joined.length()
        front.name()
        onShape(shape)
        this@Canvas.reset()
        val watcher = object : Listener {
            override fun onShape(shape: Shape) {
                shape.name()
                reset()
            }
        }
        watcher.onShape(shape)
        boxes.forEach { box -> run { it(box).area() } }
    }
}

fun Shape.toSide(): Side = Side(area())
