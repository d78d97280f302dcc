package bank.tools

import bank.model.{Owner, Rate => Percent}
import bank.model.Savings

object Text {
  def clean(text: String): String = text

  def shout(text: String): String = clean(text)

  implicit class RichOwner(owner: Owner) {
    def greet(): String = owner.name()
  }
}

class Clock {
  def now(): Long = 0L

  def rate(): Percent = Percent(2)
}

extension (savings: Savings)
  def close(): String = savings.label()
