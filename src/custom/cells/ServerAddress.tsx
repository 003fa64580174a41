import { styled } from '@mui/material/styles'
import { type ServerRow, useServerRow } from './figures.ts'

/** The server's public addresses, IPv4 above IPv6. */
export function ServerAddress() {
  const record = useServerRow()
  const addresses = record ? addressesOf(record) : []
  if (!addresses.length) return null
  return (
    <Frame title={addresses.join('/')}>
      {addresses.map((address) => (
        <span key={address}>{address}</span>
      ))}
    </Frame>
  )
}

const addressesOf = ({ geoip }: ServerRow): string[] =>
  [geoip?.ip?.ipv4_addr, geoip?.ip?.ipv6_addr].filter((address) => address !== undefined && address !== '') as string[]

/** 'v4/v6', or the one that is known. */
export const addressText = (row: object): string => addressesOf(row as ServerRow).join('/')

const Frame = styled('span')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  maxWidth: '22ch',
  lineHeight: 1.3,
  fontFamily: theme.typography.fontFamilyMono,
  fontSize: '0.75rem',
  '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
}))
