import { styled } from '@mui/material/styles'
import { type ServerRow, useFigure, useServerRow } from './figures.ts'

/** The name, and below it the system that runs on the machine. */
export function ServerName() {
  const record = useServerRow()
  if (!record) return null
  return (
    <Frame>
      <span title={record.name}>{record.name}</span>
      <System record={record} />
    </Frame>
  )
}

function System({ record }: { record: ServerRow }) {
  const system = useFigure(record, ({ host }) => [host.platform, host.platform_version].filter(Boolean).join(' '))
  return system ? <small title={system}>{system}</small> : null
}

const Frame = styled('span')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  maxWidth: '28ch',
  lineHeight: 1.3,
  '& > *': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& > span': { fontWeight: 600 },
  '& > small': { fontSize: '0.75rem', fontWeight: 400, color: theme.vars.palette.text.secondary },
}))
