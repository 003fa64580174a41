import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { CopyButton } from '../../../components/CopyButton.tsx'

/** Lines that call an address, by where they are written. */
const lines: Readonly<Record<string, (address: string) => string>> = {
  cron: (address) => `30 3 * * * /usr/local/bin/backup && curl -fsS -m 10 --retry 3 "${address}" > /dev/null`,
  systemd: (address) => `ExecStartPost=/usr/bin/curl -fsS -m 10 --retry 3 ${address}`,
  bash: (address) => `curl -fsS -m 10 "${address}/start"; backup; curl -fsS -m 10 "${address}/$?"`,
  PowerShell: (address) => `Invoke-RestMethod -Uri "${address}?status=up&msg=OK" -TimeoutSec 10`,
  Python: (address) => `import urllib.request; urllib.request.urlopen("${address}?status=up&msg=OK", timeout=10)`,
}

/** The address of a job, and lines to copy. */
export function PushAddress({ address }: { address: string }) {
  const translate = useTranslate()
  return (
    <Lines>
      <Line name={translate('app.checks.push_address')} text={address} />
      {Object.entries(lines).map(([name, write]) => (
        <Line key={name} name={name} text={write(address)} />
      ))}
    </Lines>
  )
}

function Line({ name, text }: { name: string; text: string }) {
  const translate = useTranslate()
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{text}</code>
        <CopyButton text={text} label={translate('app.checks.copy_line', { name })} />
      </dd>
    </>
  )
}

const Lines = styled('dl')(({ theme }) => ({
  margin: 0,
  fontSize: 13,
  '& dt': { fontWeight: 600 },
  '& dd': {
    margin: theme.spacing(0.25, 0, 1),
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
  },
  '& code': {
    flex: 1,
    minWidth: 0,
    padding: theme.spacing(0.5, 1),
    borderRadius: theme.shape.borderRadius,
    background: theme.vars.palette.sunken,
    overflowWrap: 'anywhere',
    userSelect: 'all',
  },
}))
