using System.Threading.Tasks;

namespace Web.Data;

public interface IUserStore
{
    Task<User> FindAsync(string id);
}

public record Profile(string Text)
{
    public string Render() => Text;
}

public struct Point
{
    public int X;

    public static Point Zero() => new Point();

    public int Render() => X;
}

public class User
{
    private readonly Profile profile = new("x");

    public static User Parse(string text) => new(text);

    public bool IsActive() => true;

    public void Touch()
    {
        Local(1);
        void Local(int n)
        {
            IsActive();
        }
    }

    public Profile Profile() => profile;
}

public class Admin : User
{
    public new Profile Profile()
    {
        var point = Point.Zero();
        point.Render();
        switch ((object)point)
        {
            case User user:
                user.Touch();
                break;
            case Profile other when other.Render() != "":
                break;
        }
        return base.Profile();
    }
}
