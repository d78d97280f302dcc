module Shop
  module Priced
    def price_text
      format_price(total)
    end

    def format_price(amount)
      "#{amount}"
    end
  end

  module Findable
    def find(id)
      all.first
    end

    def all
      []
    end
  end

  class Base
    def initialize(name)
      @name = name
    end

    def render
      header
    end

    def header
      self.class.label
    end

    def self.label
      "base"
    end
  end
end
