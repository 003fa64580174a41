import * as React from 'react'

// React's development build records where each element is made, in an Error, for up to ten thousand elements a second.
// That is an eighth of the time of these tests, and nobody reads it: warnings name components without it. With the
// counter beyond its limit React records nothing.
const internals = (React as unknown as Record<string, object | undefined>)
  .__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE
if (internals && 'recentlyCreatedOwnerStacks' in internals) {
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    configurable: true,
    get: () => Number.POSITIVE_INFINITY,
    // React sets it to zero once a second.
    set: () => {},
  })
}
