import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { LinkBase, useBasename } from 'react-admin'
import { formatDateTime, formatNumber } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { Panel } from '../../components/Panel.tsx'
import type { Check, Finding, Subject } from './checks/check.ts'

/** Subjects that are listed at first; the others are shown on demand. */
const shownAtFirst = 10

/** What a check has found, what to do about it, and the way there. */
export function FindingPanel({ check, finding }: { check: Check; finding: Finding }) {
  const { translate } = useLanguage()
  const [isWhole, setWhole] = useState(false)
  const { name, severity } = check
  const { subjects, noteKey } = finding
  const shown = isWhole ? subjects : subjects.slice(0, shownAtFirst)
  return (
    <Panel
      title={translate(`app.security.checks.${name}.title`)}
      hint={translate(`app.security.checks.${name}.remedy`)}
      action={<Chip size="small" color={severity} label={translate(`app.security.severities.${severity}`)} />}
    >
      <List>
        {shown.map((subject) => (
          <SubjectItem key={subject.label} subject={subject} />
        ))}
      </List>
      {shown.length < subjects.length ? (
        <Button color="inherit" size="small" onClick={() => setWhole(true)}>
          {translate('app.security.show_all', { smart_count: subjects.length })}
        </Button>
      ) : null}
      {noteKey ? <p>{translate(noteKey)}</p> : null}
      <RemedyLink check={check} />
    </Panel>
  )
}

function SubjectItem({ subject: { label, to, reasonKey, at, username, count } }: { subject: Subject }) {
  const { translate, locale } = useLanguage()
  const basename = useBasename()
  const details = [
    reasonKey && translate(reasonKey),
    at && formatDateTime(at, locale),
    username,
    count && `× ${formatNumber(count, locale)}`,
  ].filter(Boolean)
  return (
    <li>
      {to === undefined ? (
        label
      ) : (
        // Underlined, because in dark its colour is too near to that of the text behind it.
        <Link component={LinkBase} underline="always" to={`${basename}/${to}`}>
          {label}
        </Link>
      )}
      {details.length > 0 ? <small> · {details.join(' · ')}</small> : null}
    </li>
  )
}

/** Addresses of other sites open in a tab of their own. */
function RemedyLink({ check: { link } }: { check: Check }) {
  const { translate } = useLanguage()
  const basename = useBasename()
  const label = translate('app.security.open', { screen: translate(link.labelKey, { smart_count: 2 }) })
  return link.to.startsWith('https:') ? (
    <Button variant="outlined" color="inherit" href={link.to} target="_blank" rel="noopener">
      {label}
    </Button>
  ) : (
    <Button variant="outlined" color="inherit" component={LinkBase} to={link.to ? `${basename}/${link.to}` : basename}>
      {label}
    </Button>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: theme.spacing(0, 0, 1.5),
  paddingLeft: 20,
  '&:empty': { display: 'none' },
  '& small': { color: theme.vars.palette.text.secondary },
}))
