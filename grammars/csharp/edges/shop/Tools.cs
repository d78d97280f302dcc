using Shop.Model;

namespace Shop.Tools
{
    public static class Money
    {
        public static decimal Round(decimal amount) => amount;

        public static decimal Half(decimal amount)
        {
            return Round(amount / 2);
        }
    }

    public class RateTable
    {
        public static RateTable Load() => new RateTable();

        public RateTable Next() => this;

        public decimal Of(Genre genre) => 0m;
    }

    public static class ItemExtensions
    {
        public static decimal Discounted(this Item item, int percent)
        {
            return item.Total() * percent;
        }
    }
}
