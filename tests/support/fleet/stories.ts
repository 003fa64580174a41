import type { Story } from './simulatedFleet.ts'

const minute = 60
const hour = 60 * minute

const always = () => true
const between = (second: number, from: number, to: number) => second >= from && second < to
const range = (count: number) => Array.from({ length: count }, (_, index) => index)

interface NamedStory extends Story {
  /** Seconds. */
  lasts: number
}

/** The disk of server 1 swings over its limit every four minutes, for three hours. */
const flappingDisk = {
  servers: 2,
  services: [],
  isOnline: always,
  answers: always,
  disk: (server, second) =>
    server === 1 && between(second, 12 * minute, 192 * minute) && second % (4 * minute) < 2 * minute ? 95 : 60,
  lasts: 4 * hour,
} as const satisfies NamedStory

/** What happens to fleets, as operators know it. Server 0 stands elsewhere, and checks from outside. */
export const stories = {
  /** Behind server 1, a router, stand 40 servers and 60 services; its uplink is gone for ten minutes. */
  uplink: {
    servers: 42,
    services: range(60).map(() => ({ from: 0, standsOn: 1 })),
    standsOn: (server) => (server > 1 ? 1 : undefined),
    isOnline: (server, second) => server === 0 || !between(second, 10 * minute, 20 * minute),
    answers: (_, second) => !between(second, 10 * minute, 20 * minute),
    lasts: hour,
  },
  /** Twelve guests on server 1, with a service each, of which nobody said what they stand on; it starts anew. */
  hypervisor: {
    servers: 14,
    services: range(12).map((index) => ({ from: index + 2 })),
    isOnline: (server, second) => server === 0 || !between(second, 10 * minute, 14 * minute),
    answers: (_, second) => !between(second, 10 * minute, 14 * minute),
    lasts: hour,
  },
  /** The hypervisor again, with services that take a minute to start; that of server 2 takes five. */
  lateServices: {
    servers: 14,
    services: range(12).map((index) => ({ from: index + 2 })),
    isOnline: (server, second) => server === 0 || !between(second, 5 * minute, 8 * minute),
    answers: (service, second) => !between(second, 5 * minute, (service === 0 ? 13 : 9) * minute),
    lasts: hour / 2,
  },
  flappingDisk,
  /** The same with a rule that recovers below 80 % for three minutes. */
  swingingDisk: { ...flappingDisk, recovery: { recovery_max: 80, recovery_duration: 3 * minute } },
  /** Twenty services fail one after the other, each for half an hour. */
  oneByOne: {
    servers: 1,
    services: range(20).map(() => ({ from: 0 })),
    isOnline: always,
    answers: (service, second) => !between(second, (10 + 5 * service) * minute, (40 + 5 * service) * minute),
    lasts: 4 * hour,
  },
  /** A day of a fleet: nights with a full disk, a service that is down at noon, a reboot in the evening. */
  day: {
    servers: 6,
    services: range(6).map((index) => ({ from: index })),
    isOnline: (server, second) => server !== 3 || !between(second, 18 * hour, 18 * hour + 5 * minute),
    answers: (service, second) => service !== 2 || !between(second, 12 * hour, 12 * hour + 20 * minute),
    disk: (server, second) => (server === 1 && between(second, 2 * hour, 4 * hour) ? 96 : 40),
    lasts: 24 * hour,
  },
} as const satisfies Record<string, NamedStory>
