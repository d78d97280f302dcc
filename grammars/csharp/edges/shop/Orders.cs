using System;
using System.Collections.Generic;
using Shop.Model;
using Shop.Tools;
using static Shop.Tools.Money;
using Rates = Shop.Tools.RateTable;

namespace Shop.Orders;

public partial class Order
{
    private readonly List<Book> books = new List<Book>();
    private readonly IPriced extra;

    public decimal Total()
    {
        decimal sum = extra.Total();
        foreach (Book book in books)
        {
            sum += book.Total();
        }
        foreach (var book in books)
        {
            sum += book.Discounted(5);
        }
        return Round(sum) + Money.Half(sum);
    }

    public decimal Rate()
    {
        var table = Rates.Load();
        return table.Next().Next().Of(Genre.Novel);
    }

    public void Check(object thing, Action<Order> done)
    {
        Total();
        Save();
        ((Book)thing).Label();
        (thing as Author).Name();
        if (thing is Book.Shelf shelf)
        {
            shelf.Show(new Book());
        }
        var item = Find(1);
        item.Label();
        books.ForEach(Log);
        books.Sort();
        Mystery(thing).Save();
        string Total2() => item.Label();
        Total2();
    }
}
