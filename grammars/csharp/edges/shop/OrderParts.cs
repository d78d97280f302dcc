using Shop.Model;

namespace Shop.Orders
{
    public partial class Order
    {
        public void Save()
        {
            Rate();
            Console.WriteLine(extra.Total());
        }

        private Item Find(int id) => null;

        private void Log(Book book)
        {
            Action<Book> save = Store;
            save(book);
        }

        private void Store(Book book)
        {
        }
    }
}
