import RenewIcon from '@mui/icons-material/AutorenewOutlined'
import VisibilityOffIcon from '@mui/icons-material/VisibilityOffOutlined'
import VisibilityIcon from '@mui/icons-material/VisibilityOutlined'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { Suspense, useState } from 'react'
import { useTranslate } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'

const RenewSecretDialog = lazyPart(() => import('./RenewSecretDialog.tsx'))

interface AgentSecretProps {
  secret: string
  /** Called when it was renewed. Absent: this server cannot renew it. */
  onRenewed?: () => void
}

/** The secret with which agents register: dots, until somebody wants to see it. */
export function AgentSecret({ secret, onRenewed }: AgentSecretProps) {
  const translate = useTranslate()
  const [isShown, setShown] = useState(false)
  const [isRenewing, setRenewing] = useState(false)
  const renew = translate('app.account.renew_secret')
  const name = translate(isShown ? 'app.form.hide_secret' : 'app.form.show_secret')
  return (
    <Line>
      <code>{isShown ? secret : '••••••••••••••••'}</code>
      <IconButton size="small" aria-label={name} title={name} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? <VisibilityOffIcon fontSize="small" /> : <VisibilityIcon fontSize="small" />}
      </IconButton>
      <CopyButton text={secret} label={translate('app.account.copy_secret')} />
      {onRenewed ? (
        <IconButton size="small" aria-label={renew} title={renew} onClick={() => setRenewing(true)}>
          <RenewIcon fontSize="small" />
        </IconButton>
      ) : null}
      {onRenewed && isRenewing ? (
        <Suspense>
          <RenewSecretDialog onRenewed={onRenewed} onClose={() => setRenewing(false)} />
        </Suspense>
      ) : null}
    </Line>
  )
}

const Line = styled('span')({ display: 'inline-flex', alignItems: 'center', gap: 4, minWidth: 0, maxWidth: '100%' })
