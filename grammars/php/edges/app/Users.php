<?php

namespace App;

use App\Repo\{Connection, Entity, Repository};
use App\Repo as R;

final class Users extends Repository
{
    public readonly Entity $owner;

    public function __construct(
        private readonly Connection $db,
        ?Entity $owner = null,
    ) {
        $this->owner = $owner ?? new Entity();
    }

    protected function table(): string
    {
        return 'users';
    }

    public function names(): array
    {
        $first = $this->find(1);
        $first?->greet();
        $this->with('x')->with('y')->names();
        $this->owner->name();
        Connection::shared()->query('a', 1)->first()->name();
        R\Entity::suffix();
        $make = fn (Entity $one) => $one->greet();
        $each = function (R\HasName $one) {
            return $one->name() . $this->table();
        };
        array_walk($all, [self::class, 'visit']);
        $name = $this->db::shared();
        if ($name instanceof Entity) {
            $name->name();
        }
        $method = 'visit';
        $this->$method();
        return array_map($this->visit(...), []);
    }

    private static function visit($one): void
    {
        $one->first();
        $one->query('b', 2)->name();
    }
}

function connection(): Connection
{
    static $kept = null;
    return $kept ?? Connection::shared();
}

connection()->query('c', 3);
