import logging

from .logging import info


class Base:
    def save(self):
        return info("saved")


class Cart(Base):
    def save(self):
        logging.info("from outside")
        super().save()
        return self.total()

    def total(self):
        return fill(self)


def fill(cart: Cart):
    for part in cart.parts():
        part.save()
    return cart.total()
