import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useEffect, useRef, useState } from 'react'
import { LinkBase, useRefresh, useTranslate, useUpdate } from 'react-admin'
import { addressesOf, type ServerRow } from '../../components/serverMetrics.ts'
import { useAddresses } from '../../engine/define/screen.ts'
import { useToast } from '../../engine/parts/useToast.ts'
import { useNewServers } from './useNewServers.ts'

/** Says that an agent is waited for, and which have connected meanwhile; each can be given a name. */
export function AwaitedAgents() {
  const translate = useTranslate()
  const servers = useNewServers()
  const end = useRef<HTMLParagraphElement>(null)
  // Below a long command the new servers would stay out of sight.
  useEffect(() => {
    if (servers.length > 0) end.current?.scrollIntoView({ block: 'nearest' })
  }, [servers.length])
  return (
    <Area role="status" aria-label={translate('app.install.connection')}>
      {servers.map((server) => (
        <Connected key={server.id} server={server} />
      ))}
      <p ref={end}>
        <CircularProgress size={14} aria-hidden />
        {translate(servers.length > 0 ? 'app.install.waiting_for_more' : 'app.install.waiting')}
      </p>
    </Area>
  )
}

function Connected({ server }: { server: ServerRow }) {
  const translate = useTranslate()
  const addresses = useAddresses()
  const system = [server.host?.platform, server.host?.platform_version].filter(Boolean).join(' ')
  const [update, { isPending }] = useUpdate()
  const refresh = useRefresh()
  const toast = useToast()
  const [name, setName] = useState(server.name ?? '')
  const newName = name.trim()
  // The button stays enabled: a disabled one loses the focus of the keyboard.
  const rename = () =>
    !isPending &&
    newName !== '' &&
    update(
      'server',
      { id: server.id, data: { name: newName }, previousData: server },
      {
        onSuccess: () => {
          toast.show({ key: 'app.install.renamed' })
          refresh()
        },
        onError: toast.showError,
      },
    )
  return (
    <div>
      <strong>
        {translate('app.install.connected')}{' '}
        <Link component={LinkBase} to={addresses.edit(server.id)}>
          {server.name}
        </Link>
        {[system, ...addressesOf(server)].filter(Boolean).map((fact) => `, ${fact}`)}
      </strong>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void rename()
        }}
      >
        <TextField
          size="small"
          label={translate('app.install.name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 128 } }}
        />
        <Button type="submit" variant="outlined" aria-busy={isPending} disabled={newName === ''}>
          {translate('app.install.rename')}
        </Button>
      </form>
    </div>
  )
}

const Area = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  overflowWrap: 'anywhere',
  '& > div': {
    padding: theme.spacing(1.5),
    border: `1px solid ${theme.vars.palette.success.main}`,
    borderRadius: theme.shape.borderRadius,
  },
  '& form': { display: 'flex', gap: theme.spacing(1), alignItems: 'center', marginTop: theme.spacing(1.5) },
  '& form > div': { flex: 1 },
  '& p': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    margin: 0,
    color: theme.vars.palette.text.secondary,
  },
}))
