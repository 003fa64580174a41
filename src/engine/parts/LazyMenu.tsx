import { Suspense, useState } from 'react'
import { lazyPart } from './lazyPart.tsx'
import type { MenuProps } from './menuProps.ts'

const Menu = lazyPart(() => import('./Menu.tsx'), { hasTexts: false })

/** A menu whose code is fetched when it is first opened. It stays mounted, so that closing is animated. */
export function LazyMenu(props: MenuProps) {
  const [wasOpen, setWasOpen] = useState(false)
  if (props.anchor && !wasOpen) setWasOpen(true)
  if (!wasOpen) return null
  return (
    <Suspense>
      <Menu {...props} />
    </Suspense>
  )
}
