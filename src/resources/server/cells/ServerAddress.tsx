import { addressesOf, useServerRow } from '../../../components/serverMetrics.ts'
import '../../../components/theme/cells.css'

/** The server's public addresses, IPv4 above IPv6. */
export function ServerAddress() {
  const record = useServerRow()
  const addresses = record ? addressesOf(record) : []
  if (!addresses.length) return null
  return (
    <span className="cell-stack cell-address" title={addresses.join('/')}>
      {addresses.map((address) => (
        <span key={address}>{address}</span>
      ))}
    </span>
  )
}
