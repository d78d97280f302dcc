<?php

namespace App\Model;

interface Sends
{
    public function send(string $to): bool;
}

trait Logs
{
    public function log(string $line): void
    {
        $this->write($line);
    }

    private function write(string $line): void
    {
    }
}

abstract class Base implements Sends
{
    use Logs;

    protected string $name;

    public function __construct(string $name)
    {
        $this->name = self::clean($name);
    }

    protected static function clean(string $text): string
    {
        return trim($text);
    }

    public static function make(string $name): static
    {
        return new static($name);
    }

    public function title(): string
    {
        return $this->name;
    }
}

enum Level: int
{
    case Low = 1;
    case High = 2;

    public static function parse(int $value): self
    {
        return self::from($value);
    }

    public function label(): string
    {
        return '';
    }
}
