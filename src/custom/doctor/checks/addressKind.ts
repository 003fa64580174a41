/** Whether an address or host name is this machine's, of a private network, or public. */
export function addressKind(host: string): 'own' | 'private' | 'public' {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  const v4 = bare.replace(/^::ffff:/, '')
  if (/^(localhost|.+\.localhost|::1)$/.test(bare) || /^127\./.test(v4)) return 'own'
  if (/^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(v4))
    return 'private'
  if (/^(f[cd]|fe[89ab])[0-9a-f]*:/.test(bare)) return 'private'
  return 'public'
}
