package bank.app

import bank.model._
import bank.tools.Clock
import bank.tools.Text.shout
import bank.tools.{Text => T}
import bank.tools.close
import vendor.Mailer

class App(clock: Clock, mailer: Mailer) {
  private var current: Option[Savings] = None

  def run(account: Account, anything: Any, all: Seq[Savings]): Unit = {
    account.deposit(1)
    val savings = Savings.create("a")
    savings.deposit(2).audit("b")
    clock.rate().next().of(3)
    shout("x")
    T.clean("y")
    savings.close()
    mailer.deposit(3)
    anything match {
      case owner: Owner => owner.name()
      case other => mystery(other).label()
    }
    anything.asInstanceOf[Savings].twice(1)
    all.foreach(one => one.label())
    all.map(describe)
    def loud(text: Int): Int = helper(text)
    loud(1)
    this.helper(2)
  }

  private def describe(savings: Savings): String = savings.label()

  private def helper(number: Int): Int = number
}

object App {
  def main(args: Array[String]): Unit = {
    val app = new App(new Clock, null)
    app.run(null, null, Nil)
  }
}
