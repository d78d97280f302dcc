<?php

namespace App\Model;

use App\Tools\Clock;
use App\Tools\{Printer as Press, Tray};

class Letter extends Base
{
    private Press $press;

    public function __construct(string $name, private Clock $clock, private ?Tray $tray = null)
    {
        parent::__construct($name);
        $this->press = new Press();
    }

    public function send(string $to): bool
    {
        $this->log($to);
        $this->clock->now();
        $this->tray?->fill(1);
        $this->press->start()->finish();
        return strlen($this->title()) > 0;
    }

    public function title(): string
    {
        return parent::title() . static::stamp();
    }

    private static function stamp(): string
    {
        return '';
    }

    public function sorted(array $all): array
    {
        usort($all, [$this, 'compare']);
        return array_map(fn ($one) => $this->compare($one, $one), $all);
    }

    private function compare($a, $b): int
    {
        return 0;
    }
}
