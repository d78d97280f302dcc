using System;

namespace Shop.Model
{
    public interface IPriced
    {
        decimal Total();
    }

    public abstract class Item : IPriced
    {
        private readonly string name;

        protected Item(string name)
        {
            this.name = Clean(name);
        }

        public abstract decimal Total();

        public virtual string Label()
        {
            return this.Describe(1) + Describe(1, "x");
        }

        private string Describe(int indent) => Clean(name);

        private string Describe(int indent, string mark) => mark;

        private static string Clean(string text)
        {
            return text.Trim();
        }
    }

    public class Author
    {
        public decimal Rate() => 1m;

        public string Name() => "";
    }

    public class Book : Item
    {
        public Author Writer { get; set; }

        public Book(string name, Author writer) : base(name)
        {
            Writer = writer;
        }

        public Book() : this("", new Author())
        {
        }

        public override decimal Total()
        {
            return Writer.Rate() * 2;
        }

        public override string Label()
        {
            return base.Label() + Writer?.Name();
        }

        public class Shelf
        {
            private Book first = new Book();

            public string Show(Book book)
            {
                return book.Label() + first.Total() + Count();
            }

            private static int Count() => 0;
        }
    }

    public enum Genre
    {
        Novel,
        Poem
    }
}
