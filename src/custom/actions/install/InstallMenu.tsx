import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'
import { useTranslate } from 'react-admin'
import { lazyPart } from '../../../resources/engine/parts/lazyPart.tsx'

const InstallCommands = lazyPart(() => import('./InstallCommands.tsx'))

/** The way to watch one more machine: commands that install an agent on it. */
export function InstallMenu() {
  const translate = useTranslate()
  const [anchor, setAnchor] = useState<HTMLElement>()
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {translate('app.install.menu')}
      </Button>
      {anchor ? (
        <Suspense>
          <InstallCommands anchor={anchor} onClose={() => setAnchor(undefined)} />
        </Suspense>
      ) : null}
    </>
  )
}
