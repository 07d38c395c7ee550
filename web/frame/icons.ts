/**
 * Every icon is in the build. The icon component would ask a public service for one that is missing: this makes it ask
 * the own origin instead, where it finds nothing. Must be evaluated before the first icon component.
 */
Object.assign(globalThis, { IconifyProviders: { '': { resources: [`${location.origin}/no-such-icon`] } } });
