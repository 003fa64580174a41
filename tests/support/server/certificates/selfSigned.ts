/** A key that nobody else has a use for, and the certificate for `localhost` and `127.0.0.1` that it signed itself. */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7wAu2RR1Og8azr7g
wppiEz7hi1je6+mDz104GX4el6KhRANCAASQoG7lQcwY7D13o6jyvXWcz63A9RIx
209dRjDoNNL70oA5Bz/4oF4oXkNtqe6l2pY8wP10wfLcx+l7jtBIERzL
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBYjCCAQqgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJCgbuVBzBjsPXej
qPK9dZzPrcD1EjHbT11GMOg00vvSgDkHP/igXiheQ22p7qXaljzA/XTB8tzH6XuO
0EgRHMujSzBJMAwGA1UdEwQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/
AAABMB0GA1UdDgQWBBR4Uxk2GPMX9eDU/CKKhpqr3TptTzAKBggqhkjOPQQDAgNG
ADBDAiBDxPZkBohYu6TjIj6S0Yis/K26D4HzK+cjAAwJWbWddgIfWwX53VwHSjfy
5uIyrDSNMowh9fh2krnpuS2lh4kodQ==
-----END CERTIFICATE-----`,
}

/** The same key in a certificate that has run out. */
export const expiredCertificate = {
  key: selfSigned.key,
  cert: `-----BEGIN CERTIFICATE-----
MIIBZTCCAQugAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASQoG7lQcwY7D13o6jy
vXWcz63A9RIx209dRjDoNNL70oA5Bz/4oF4oXkNtqe6l2pY8wP10wfLcx+l7jtBI
ERzLo04wTDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwDwYDVR0TAQH/BAUw
AwEB/zAdBgNVHQ4EFgQUeFMZNhjzF/Xg1Pwiioaaq906bU8wCgYIKoZIzj0EAwID
SAAwRQIhAPH5jN9hN5dmVDNVkbyccHSouQjg6+4Vq9fbyfkW1nkRAiBoHXzo9pXu
PLgTSII4MbyTSddblO6mnF0NoFHbteQpgw==
-----END CERTIFICATE-----`,
}

/** Another one, with the name `renewed`. */
export const renewedCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgODXQ+R7+kMRpm71n
rbzsWyRLHDfonLP7hp5kQyjHh46hRANCAAT0fV8flKPXHCndYq8vm14OygYkh6eF
cmlrBb++VfzVxdbtO4BbazdTFtM7IjCigCm4gm1uPyGG0Lx9aUVhPpFd
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlzCCAT2gAwIBAgIUKcFZ8nfy3qZRSJ4ENrre/xRUFaYwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHcmVuZXdlZDAgFw0yNjExMjIxNDM1MjVaGA8yMTI1MDYxNjE0
MzUyNVowEjEQMA4GA1UEAwwHcmVuZXdlZDBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABPR9Xx+Uo9ccKd1iry+bXg7KBiSHp4VyaWsFv75V/NXF1u07gFtrN1MW0zsi
MKKAKbiCbW4/IYbQvH1pRWE+kV2jbzBtMB0GA1UdDgQWBBT2gu8yKa3K7WsR7pCs
8ChqRrJjYDAfBgNVHSMEGDAWgBT2gu8yKa3K7WsR7pCs8ChqRrJjYDAPBgNVHRMB
Af8EBTADAQH/MBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAKBggqhkjOPQQD
AgNIADBFAiEAkiFmTVKCUXjbNh0RMEquaUS0LiTZ4hVmcZd9MxUHCYMCID/7/cpW
RAFVwt/MjnqEcIrOuLY7hXqAiBWfRVAKobFE
-----END CERTIFICATE-----`,
}

/** The same key in a certificate with four names of 64 letters, signed by itself. */
export const longNamedCertificate = {
  key: selfSigned.key,
  cert: `-----BEGIN CERTIFICATE-----
MIIDszCCA1mgAwIBAgIUZHv5/tVvZKFwywllNDcUaHwEpe8wCgYIKoZIzj0EAwIw
ggEsMUkwRwYDVQQKDEB4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4MUkwRwYDVQQKDEB4eHh4eHh4
eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
eHh4eHh4eHh4MUkwRwYDVQQKDEB4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4MUkwRwYDVQQKDEB4
eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
eHh4eHh4eHh4eHh4eHh4MCAXDTI2MTEyOTIzMjg0N1oYDzIxMzYwNjA1MjMyODQ3
WjCCASwxSTBHBgNVBAoMQHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHgxSTBHBgNVBAoMQHh4eHh4
eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
eHh4eHh4eHh4eHgxSTBHBgNVBAoMQHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHgxSTBHBgNVBAoM
QHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
eHh4eHh4eHh4eHh4eHh4eHgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASQoG7l
QcwY7D13o6jyvXWcz63A9RIx209dRjDoNNL70oA5Bz/4oF4oXkNtqe6l2pY8wP10
wfLcx+l7jtBIERzLo1MwUTAdBgNVHQ4EFgQUeFMZNhjzF/Xg1Pwiioaaq906bU8w
HwYDVR0jBBgwFoAUeFMZNhjzF/Xg1Pwiioaaq906bU8wDwYDVR0TAQH/BAUwAwEB
/zAKBggqhkjOPQQDAgNIADBFAiEAvIfRF1wyjhh1nnefE12nHbP6gG6H8g3vlPcg
xxitfQwCIEtyzDYm2OKOjabUR/Oyqq9QuVeiQqTlX2lHLvWCQwKM
-----END CERTIFICATE-----`,
}

/** The same key in a certificate whose last day is in the thirteenth month of a year. */
export const undatedCertificate = {
  key: selfSigned.key,
  cert: selfSigned.cert.replace(/-\n([\s\S]+)\n-/, (_, text: string) => {
    const bytes = Buffer.from(text, 'base64').toString('latin1').replace('21200101000000Z', '21201301000000Z')
    return `-\n${Buffer.from(bytes, 'latin1').toString('base64')}\n-`
  }),
}
