using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Web.Data;

namespace Web.Services;

public interface IMailer
{
    void Send(User user);

    void SendAll(IEnumerable<User> users)
    {
        foreach (var user in users)
        {
            Send(user);
        }
    }
}

public class UserService(IUserStore store, IMailer mailer)
{
    private readonly Dictionary<string, User> cache = new();
    private static readonly UserService instance = new UserService(null, null);

    public static UserService Instance => instance;

    public event Action<User> Changed;

    public async Task<User> Load(string id)
    {
        var user = await store.FindAsync(id);
        user.Touch();
        cache[id].Touch();
        if (cache.TryGetValue(id, out User known))
        {
            known.Touch();
        }
        mailer.Send(user);
        return user;
    }

    public string Names(List<User> users, User? owner)
    {
        users.Where(u => u.IsActive()).First().Touch();
        users.Select(u => u.Profile()).First().Render();
        owner!.Profile().Render();
        Changed += OnChanged;
        users.ForEach(user => mailer.Send(user));
        return Web.Data.User.Parse("x").Profile().Render();
    }

    private void OnChanged(User user)
    {
        dynamic anything = user;
        anything.Render();
        UserService.Instance.Names(null, user);
    }
}
