namespace Warehouse
{
    public class Book
    {
        public string Label() => "";
    }

    public class Order
    {
        public void Save()
        {
            var book = new Book();
            book.Label();
            Find(1);
        }
    }
}
