require_relative "shop/mixins"
require_relative "shop/cart"
require "json"

module Shop
  DEFAULT = 5

  def self.open(name)
    cart = Cart.new(name)
    cart.add(Item.new("tea", 3))
    cart.total
    log(cart)
    cart.owner.greet
    cart
  end

  def self.log(thing)
    puts JSON.generate(thing)
    thing.render
  end
end

def main
  Shop.open("a").add(nil)
  Shop::Cart.build.total
  Shop::Special.new("b").render
end

main
