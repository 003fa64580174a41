import { ddns } from '../schemas/ddns.ts'
import { defineResource, section } from './engine/defineResource.ts'

const isWebhook = ({ provider }: Record<string, unknown>) => provider === 'webhook'

export default defineResource(ddns, {
  columns: ['id', 'name', 'enable_ipv4', 'enable_ipv6', 'provider', 'domains', 'max_retries'],
  filters: ['name', 'provider', 'domains', 'enable_ipv4', 'enable_ipv6'],
  form: [
    'name',
    'domains',
    'max_retries',
    'enable_ipv4',
    'enable_ipv6',
    section('provider', ['provider', 'access_id', 'access_secret']),
    section(
      'webhook',
      ['webhook_url', 'webhook_method', 'webhook_request_type', 'webhook_request_body', 'webhook_headers'],
      { when: isWebhook },
    ),
  ],
})
