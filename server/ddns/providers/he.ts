import { DdnsError, finalResults, type ProviderFactory } from './provider.ts'

/**
 * Hurricane Electric, by the DynDNS update protocol. The access secret is the key of the record, which has to exist
 * with dynamic updates enabled.
 */
export const he: ProviderFactory =
  ({ url = 'https://dyn.dns.he.net/nic/update' }) =>
  async ({ settings, domain, address }, call) => {
    const password = settings.access_secret
    if (password === '') {
      throw new DdnsError('The profile has no access secret: enter the key of the record.', { isFinal: true })
    }
    const { text, body } = await call({
      method: 'POST',
      url,
      headers: () => ({ 'content-type': 'application/x-www-form-urlencoded' }),
      // In the body, because URLs end up in log files.
      body: new URLSearchParams({ hostname: domain, password, myip: address }).toString(),
    })
    const [result = ''] = body.trim().split(/\s/)
    if (result === 'good' || result === 'nochg') return
    throw new DdnsError(body.trim() || text, { isFinal: finalResults.has(result) })
  }
