/** Texts on how names stand that follow servers. */
export const ddnsNames = {
  ddns: {
    title: 'Domains of %{what}',
    unused: 'No server uses it',
    nothing_yet: 'Nothing sent yet',
    failed_of: '%{failed} of %{total} failed',
    how_to_use: 'No server follows this profile. Edit a server, switch DDNS on and choose this profile there.',
    first_of: 'The first %{shown} of %{total}, failures first.',
    tries: '%{smart_count} try |||| %{smart_count} tries',
    states: {
      done: 'Updated',
      failed: 'Failed',
      waiting: 'Updating',
      no_address: 'The server has no address of this kind that the provider could use',
      offline: 'Waiting for the server to report',
    },
  },
}
