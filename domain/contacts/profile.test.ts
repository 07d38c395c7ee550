import { expect } from 'chai';
import * as fc from 'fast-check';
import { contactEventTypes } from '../api/events.ts';
import { applyContactEvent, type ContactChange, type ContactProfile } from './profile.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const change = (minute: number, eventType: ContactChange['eventType'], data: object = {}): ContactChange => ({
  eventId: `e-${minute}-${eventType}`,
  eventType,
  occurredAt: at(minute),
  microseconds: 0,
  data: { contactId: 'c', serviceNumberId: 'sn', ...data },
});
const profileOf = (...changes: ContactChange[]) =>
  changes.reduce<ContactProfile | null>(applyContactEvent, null) ?? expect.fail('no event');

describe('contact profile', () => {
  it('follows after any event of an unknown contact except unfollowed', () => {
    for (const type of contactEventTypes) {
      const profile = profileOf(change(1, type));
      expect(profile.followState).to.equal(type === 'contact.unfollowed' ? 'unfollowed' : 'following');
      expect(profile.unsubscribed).to.equal(type === 'contact.unsubscribed');
    }
  });

  it('keeps what occurred last, not what arrived last', () => {
    const profile = profileOf(
      change(3, 'contact.unfollowed', { displayName: 'New' }),
      change(2, 'contact.followed', { displayName: 'Old', language: 'de' }),
      change(1, 'contact.unsubscribed'),
    );
    expect(profile).to.include({
      followState: 'unfollowed',
      displayName: 'New',
      language: 'de',
      unsubscribed: true,
    });
    expect(profile.lastEventAt).to.deep.equal(at(3));
  });

  it('tells microseconds apart, and of one moment lets leaving win whatever the ids are', () => {
    const named = (eventId: string, microseconds: number, eventType: ContactChange['eventType']): ContactChange => ({
      ...change(1, eventType),
      eventId,
      microseconds,
    });
    for (const [first, second] of [
      [named('a', 2, 'contact.followed'), named('z', 1, 'contact.unfollowed')],
      [named('z', 1, 'contact.unfollowed'), named('a', 2, 'contact.followed')],
    ] as const)
      expect(profileOf(first, second).followState).to.equal('following');
    const [left, came] = [named('a', 1, 'contact.unfollowed'), named('z', 1, 'contact.followed')];
    expect([profileOf(left, came).followState, profileOf(came, left).followState]).to.deep.equal([
      'unfollowed',
      'unfollowed',
    ]);
    const [out, back] = [named('a', 1, 'contact.unsubscribed'), named('z', 1, 'contact.resubscribed')];
    expect([profileOf(out, back).unsubscribed, profileOf(back, out).unsubscribed]).to.deep.equal([true, true]);
  });

  it('entered when it first entered or followed, whatever follows', () => {
    const enteredAt = (...changes: ContactChange[]) => profileOf(...changes).enteredAt;
    expect(enteredAt(change(1, 'contact.updated'))).to.equal(null);
    expect(enteredAt(change(2, 'contact.followed'), change(3, 'contact.entered'))).to.deep.equal(at(2));
    expect(enteredAt(change(2, 'contact.entered'), change(4, 'contact.followed'))).to.deep.equal(at(2));
    expect(enteredAt(change(4, 'contact.entered'), change(2, 'contact.followed'))).to.deep.equal(at(2));
  });

  it('does not let an inference override a reported fact', () => {
    const profile = profileOf(change(2, 'contact.updated'), change(1, 'contact.unfollowed'));
    expect(profile.followState).to.equal('unfollowed');
  });

  it('is the same for any order and any duplicates of the same events', () => {
    const text = fc.option(fc.constantFrom('a', 'b', 'c'));
    const event = fc.record({
      eventId: fc.uuid(),
      eventType: fc.constantFrom(...contactEventTypes),
      occurredAt: fc.integer({ min: 0, max: 5 }).map(at),
      microseconds: fc.integer({ min: 0, max: 2 }),
      data: fc.record({
        contactId: fc.constant('c'),
        serviceNumberId: fc.constant('sn'),
        displayName: text,
        language: text,
        attributes: fc.option(fc.dictionary(fc.constantFrom('x', 'y'), fc.integer())),
      }),
    });
    const ordered = fc.array(event, { minLength: 1, maxLength: 8 });
    const shuffled = ordered.chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 })),
    );
    fc.assert(
      fc.property(shuffled, ([events, again]) => {
        expect(profileOf(...again)).to.deep.equal(profileOf(...events));
      }),
    );
  });
});
