import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { Router } from 'react-router'
import type { Navigation } from './navigation.ts'
import { NavigationContext } from './routerProvider.tsx'

interface ConsoleRouterProps {
  navigation: Navigation
  children: ReactNode
}

/** Draws again what depends on the address: at once for navigations that ask for it, else as a transition. */
export function ConsoleRouter({ navigation, children }: ConsoleRouterProps) {
  const [{ location, action }, setPlace] = useState(navigation.place)
  useLayoutEffect(() => {
    setPlace(navigation.place)
    return navigation.listen((place, isSync) => (isSync ? flushSync : startTransition)(() => setPlace(place)))
  }, [navigation])
  return (
    <NavigationContext value={navigation}>
      <Router location={location} navigationType={action} navigator={navigation.navigator}>
        {children}
      </Router>
    </NavigationContext>
  )
}
