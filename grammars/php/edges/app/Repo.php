<?php

declare(strict_types=1);

namespace App\Repo;

abstract class Repository
{
    protected ?Connection $connection = null;

    abstract protected function table(): string;

    public function find(int $id): ?Entity
    {
        return $this->connection->query($this->table(), $id)->first();
    }

    public function with(string $name): static
    {
        $copy = clone $this;
        $copy->table();
        return $this;
    }
}

class Connection
{
    private static ?Connection $shared = null;

    public static function shared(): self
    {
        self::$shared ??= new self();
        return self::$shared;
    }

    public function query(string $table, int $id): Result
    {
        return new Result();
    }
}

class Result
{
    public function first(): ?Entity
    {
        return null;
    }
}

interface HasName
{
    const KIND = 'x';

    public function name(): string;
}

trait Greets
{
    abstract public function name(): string;

    public function greet(): string
    {
        return 'hi ' . $this->name() . static::suffix();
    }

    public static function suffix(): string
    {
        return '!';
    }
}

class Entity implements HasName
{
    use Greets;

    public function name(): string
    {
        return '';
    }
}
