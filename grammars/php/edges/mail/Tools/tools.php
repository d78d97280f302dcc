<?php

namespace App\Tools;

class Clock
{
    public function now(): int
    {
        return time();
    }
}

class Printer
{
    public function start(): self
    {
        return $this;
    }

    public function finish(): void
    {
        helper();
        \App\helper();
    }
}

class Tray
{
    public static int $count = 0;

    public function fill(int $sheets): void
    {
    }
}

function helper(): void
{
}

function tray(): Tray
{
    return new Tray();
}
