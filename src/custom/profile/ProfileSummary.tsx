import RenewIcon from '@mui/icons-material/AutorenewOutlined'
import VisibilityOffIcon from '@mui/icons-material/VisibilityOffOutlined'
import VisibilityIcon from '@mui/icons-material/VisibilityOutlined'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { Suspense, useState } from 'react'
import { useGetList, useLocaleState, useTranslate } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import type { Profile } from '../../schemas/account/profile.ts'
import { roles } from '../../schemas/define/access.ts'

const Avatar = lazyPart(() => import('./Avatar.tsx'))

const avatarSize = 88
const totalOnly = { pagination: { page: 1, perPage: 1 }, sort: { field: 'id', order: 'ASC' as const } }

interface ProfileSummaryProps {
  profile: Profile
  /** Called when the agent secret was renewed. Absent: this server cannot renew it. */
  onRenewed?: () => void
}

/** The user's name, role and address, and the numbers of their servers, groups and bindings. */
export function ProfileSummary({ profile, onRenewed }: ProfileSummaryProps) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const servers = useGetList('server', totalOnly)
  const groups = useGetList('server-group', totalOnly)
  const bindings = Object.keys(profile.oauth2_bind ?? {}).length
  const count = (total: number | undefined) => total?.toLocaleString(locale) ?? '–'
  return (
    <Frame>
      <Suspense fallback={<span style={{ width: avatarSize, height: avatarSize, flex: 'none' }} />}>
        <Avatar name={profile.username} size={avatarSize} />
      </Suspense>
      <dl>
        <SummaryItem name={translate('app.account.username')}>
          <strong>{profile.username}</strong>{' '}
          <small>{translate(profile.role === roles.admin ? 'app.account.admin' : 'app.account.member')}</small>
        </SummaryItem>
        <SummaryItem name={translate('app.account.login_ip')}>
          {profile.login_ip ? <code>{profile.login_ip}</code> : translate('app.account.unknown_ip')}
        </SummaryItem>
        <SummaryItem name={translate('app.account.servers')}>{count(servers.total)}</SummaryItem>
        <SummaryItem name={translate('app.account.groups')}>{count(groups.total)}</SummaryItem>
        <SummaryItem name={translate('app.account.bindings')}>{count(bindings)}</SummaryItem>
        {profile.reject_password ? (
          <SummaryItem name={translate('app.account.fields.reject_password')}>
            {translate('ra.boolean.true')}
          </SummaryItem>
        ) : null}
        {profile.agent_secret ? (
          <SummaryItem name={translate('app.account.agent_secret')}>
            <AgentSecret secret={profile.agent_secret} onRenewed={onRenewed} />
          </SummaryItem>
        ) : null}
      </dl>
    </Frame>
  )
}

function SummaryItem({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const Frame = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'flex-start',
  gap: theme.spacing(2, 3),
  '& dl': {
    flex: 1,
    minWidth: 220,
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(140px, 1fr))',
    gap: theme.spacing(1.5, 3),
    margin: 0,
  },
  '& dt': { fontSize: 12, color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0, minWidth: 0, fontVariantNumeric: 'tabular-nums' },
  '& div:last-of-type': { gridColumn: '1 / -1' },
}))

const RenewSecretDialog = lazyPart(() => import('./RenewSecretDialog.tsx'))

interface AgentSecretProps {
  secret: string
  /** Called when it was renewed. Absent: this server cannot renew it. */
  onRenewed?: () => void
}

/** The secret with which agents register: dots, until somebody wants to see it. */
function AgentSecret({ secret, onRenewed }: AgentSecretProps) {
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
