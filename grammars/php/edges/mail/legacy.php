<?php

require_once 'run.php';

class Letter
{
    public function send($to)
    {
        return true;
    }
}

function old()
{
    $letter = new Letter();
    $letter->send('a');
    $letter->sorted([]);
    helper();
}
