/**
 * Every icon is part of the build. The icon component would request a missing one from a public service: this points it at
 * our own origin instead, where it finds nothing. Must be evaluated before the first icon component.
 */
Object.assign(globalThis, { IconifyProviders: { '': { resources: [`${location.origin}/no-such-icon`] } } });
