require_relative "mixins"

module Shop
  class Owner
    def total; end

    def greet; end

    def render; end
  end

  class Item
    attr_reader :name, :price

    def initialize(name, price)
      @name = name
      @price = price
    end
  end

  class Cart < Base
    include Priced
    extend Findable

    attr_reader :items
    attr_accessor :note

    def self.build
      cart = new("built")
      cart.total
      find(1)
      cart
    end

    def initialize(name)
      super
      @items = []
      @owner = Owner.new
    end

    def owner
      @owner
    end

    def add(item)
      items << item
      check(item)
      self
    end

    def total
      items.sum { |item| weigh(item) }
    end

    def render
      @owner.render
      self.total
      price_text
      add(nil).total
      total = 1
      total
    end

    private

    def check(item)
      items.each(&:render)
      item.name
    end

    def weigh(item)
      Item.new("x", 1).price
    end
  end

  class Special < Cart
    def render
      super
      header
    end
  end
end
