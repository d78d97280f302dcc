package other

class Savings {
  def label(): String = ""

  def describe(): String = {
    val own = new Savings()
    own.label() + label() + clean("x")
  }
}
