package bank.model

trait Account {
  def deposit(amount: Int): Account

  def twice(amount: Int): Account = {
    deposit(amount).deposit(amount)
  }
}

trait Audited {
  def audit(line: String): Unit = {
    println(line)
  }
}

abstract class Base(val owner: Owner) extends Account {
  def label(): String = owner.name()

  protected def check(amount: Int): Boolean = amount > 0

  protected def check(amount: Int, limit: Int): Boolean = amount > limit
}

class Savings(owner: Owner, rate: Rate) extends Base(owner) with Audited {
  private val log = new Journal()
  private val entries: List[Journal] = Nil

  override def deposit(amount: Int): Savings = {
    audit("x")
    if (check(amount)) {
      log.write(rate.of(amount))
    }
    check(amount, 2)
    for (entry <- entries) {
      entry.write(1)
    }
    this
  }

  override def label(): String = super.label() + Savings.create("x").label()
}

object Savings {
  def create(name: String): Savings = new Savings(Owner(name), Rate())
}

case class Owner(text: String) {
  def name(): String = text
}

case class Rate(percent: Int = 1) {
  def of(amount: Int): Int = amount

  def next(): Rate = copy(percent + 1)
}

class Journal {
  def write(amount: Int): Unit = {
  }
}
