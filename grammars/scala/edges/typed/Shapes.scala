package typed

sealed trait Shape:
  def area: Int
  def scaled(by: Int): Shape
  def both(by: Int): Shape = scaled(by).scaled(by)

final case class Circle(radius: Int) extends Shape:
  def area: Int = Maths.square(radius)
  def scaled(by: Int): Circle = Circle(radius * by)

final case class Box(corners: List[Corner], label: Option[Label]) extends Shape:
  def area: Int = corners.size
  def scaled(by: Int): Box =
    val moved = for corner <- corners yield corner.moved(by)
    corners.head.moved(by)
    corners.map(c => c.moved(by)).head.moved(1)
    label.foreach(l => l.show(by))
    label.get.show(by)
    copy(corners = moved)

case class Corner(x: Int):
  def moved(by: Int): Corner = Corner(x + by)

class Label(val text: String):
  def show(by: Int): Unit = println(text)

class Grid:
  def moved(by: Int): Grid = this

enum Color(val code: Int):
  case Red extends Color(1)
  case Blue extends Color(2)

  def mix(other: Color): Color = other

object Color:
  def parse(text: String): Color = Red.mix(Blue)

object Maths:
  val default = new Label("x")

  def square(number: Int): Int = number * number

  def run(shape: Shape, any: Any): Int =
    shape match
      case circle: Circle => circle.scaled(2).scaled(3).area
      case Box(corners, _) => square(1)
    default.show(1)
    Color.parse("x").mix(Color.Red)
    given Label = default
    Maths.default.show(2)
    List(1, 2).map(square)
    any.moved(1)
    shape.both(2).area
