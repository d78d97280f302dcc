<?php

namespace App;

use App\Model;
use App\Model\Letter;
use App\Model\Level;
use App\Model\Sends;
use function App\Tools\tray;
use Vendor\Mailer;

function helper(): void
{
}

function deliver(Sends $sender, Letter|null $letter, $anything): void
{
    $sender->send('a');
    $letter->title();
    $anything->send('b');
    tray()->fill(2);
    helper();
    $copy = $letter;
    $copy->sorted([]);
}

function run(): int
{
    $letter = new Letter('x', new Tools\Clock());
    deliver($letter, null, null);
    $other = Model\Letter::make('y');
    $other->send('z');
    Level::parse(1)->label();
    Level::High->label();
    $mailer = new Mailer();
    $mailer->send('q');
    try {
        $letter->log('');
    } catch (Problem $problem) {
        $problem->title();
    }
    return (new Problem())->title();
}

class Problem extends \Exception
{
    public function title(): int
    {
        return 0;
    }
}
