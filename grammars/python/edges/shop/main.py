from store.cart import Cart, fill as put


def run():
    cart = Cart()
    put(cart)
    cart.save()
