<?php

/** Whether the service sent this body within the last five minutes. Header names are in lower case. */
function verify(string $secret, array $headers, string $body): bool
{
    $id = $headers['webhook-id'];
    $sent = $headers['webhook-timestamp'];
    if (abs(time() - (int) $sent) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sent.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}
