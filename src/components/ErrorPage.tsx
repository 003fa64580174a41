import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { LinkBase, useTranslate } from 'react-admin'
import { usePageTitle } from '../engine/define/page.tsx'

/** Shown instead of a screen that failed: an apology, the error's message, and links to go on. */
export function ErrorPage({ error }: { error: Error }) {
  const translate = useTranslate()
  return (
    <Instead titleKey="app.error_page.title">
      <p>{translate('app.error_page.text')}</p>
      <pre>{error.message || error.name}</pre>
    </Instead>
  )
}

/** The page of an unknown path. */
export function NotFoundPage() {
  return <Instead titleKey="app.error_page.not_found" />
}

/** The page of a screen that this user may not open; react-admin redirects to it. */
export function AccessDeniedPage() {
  return <Instead titleKey="ra.message.access_denied" />
}

/** The page for a failed check of the sign-in; react-admin redirects to it. */
export function AuthenticationErrorPage() {
  return <Instead titleKey="ra.message.authentication_error" />
}

/** What is wrong, and links to go on. */
function Instead({ titleKey, children }: { titleKey: string; children?: ReactNode }) {
  const translate = useTranslate()
  const title = translate(titleKey)
  usePageTitle(title)
  return (
    <Apology role="alert">
      <h1>{title}</h1>
      {children}
      <Actions>
        <Button variant="contained" component={LinkBase} to="/dashboard">
          {translate('app.error_page.back')}
        </Button>
        <Button variant="outlined" color="inherit" onClick={() => window.location.reload()}>
          {translate('app.error_page.reload')}
        </Button>
      </Actions>
    </Apology>
  )
}

const Apology = styled('section')(({ theme }) => ({
  maxWidth: 640,
  margin: '10vh auto 0',
  padding: '0 16px',
  textAlign: 'center',
  '& h1': { ...theme.typography.h1, fontSize: 28, margin: '0 0 24px' },
  '& p': { margin: '-16px 0 16px', color: theme.vars.palette.text.secondary },
  '& pre': {
    margin: '0 0 24px',
    padding: '12px 16px',
    textAlign: 'start',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    backgroundColor: theme.vars.palette.sunken,
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: theme.shape.borderRadius,
  },
}))

const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: 12 })
