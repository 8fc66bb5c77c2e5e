//! The IP addresses that are part of the public internet. Follows the IANA special-purpose registries for IPv4 and
//! IPv6. Addresses that wrap another address are refused too. Also the hosts that are this machine.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::Host;

/// Whether a host is this machine.
pub fn is_loopback<S: AsRef<str>>(host: &Host<S>) -> bool {
    match host {
        Host::Domain(name) => name.as_ref() == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

/// Whether an address is reachable from anywhere on the internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    // Network, prefix length.
    const REFUSED: [(Ipv4Addr, u32); 17] = [
        (Ipv4Addr::UNSPECIFIED, 8),
        (Ipv4Addr::new(10, 0, 0, 0), 8),
        (Ipv4Addr::new(100, 64, 0, 0), 10), // carrier-grade NAT
        (Ipv4Addr::new(127, 0, 0, 0), 8),
        (Ipv4Addr::new(168, 63, 129, 16), 32), // a cloud provider's agent, reachable only from its machines
        (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local, metadata services among it
        (Ipv4Addr::new(172, 16, 0, 0), 12),
        (Ipv4Addr::new(192, 0, 0, 0), 24),   // protocol assignments
        (Ipv4Addr::new(192, 0, 2, 0), 24),   // documentation
        (Ipv4Addr::new(192, 88, 99, 0), 24), // 6to4 relays
        (Ipv4Addr::new(192, 168, 0, 0), 16),
        (Ipv4Addr::new(198, 18, 0, 0), 15),   // benchmarking
        (Ipv4Addr::new(198, 51, 100, 0), 24), // documentation
        (Ipv4Addr::new(203, 0, 113, 0), 24),  // documentation
        (Ipv4Addr::new(192, 175, 48, 0), 24), // AS112: answers for private addresses
        (Ipv4Addr::new(224, 0, 0, 0), 4),     // multicast
        (Ipv4Addr::new(240, 0, 0, 0), 4),     // reserved, broadcast
    ];
    let bits = address.to_bits();
    !REFUSED
        .iter()
        .any(|&(network, length)| (bits ^ network.to_bits()) >> (32 - length) == 0)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // Only 2000::/3 is assigned for use on the internet. Loopback, unspecified, mapped and compatible IPv4, NAT64,
    // discard, unique local, link-local, site-local, multicast and SRv6 identifiers lie outside of it.
    const PUBLIC: (u128, u32) = (0x2000 << 112, 3);
    const REFUSED: [(u128, u32); 5] = [
        (0x2001 << 112, 23),          // protocol assignments: Teredo, ORCHID, benchmarking
        (0x2001_0db8 << 96, 32),      // documentation
        (0x2002 << 112, 16),          // 6to4: wraps an IPv4 address
        (0x2620_004f_8000 << 80, 48), // AS112
        (0x3fff << 112, 20),          // documentation
    ];
    let bits = address.to_bits();
    let within = |&(network, length): &(u128, u32)| (bits ^ network) >> (128 - length) == 0;
    within(&PUBLIC) && !REFUSED.iter().any(within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internet_addresses_are_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2a00:1450:4001::1",
            "2001:4860:4860::8888",
            "2003::1",
            "2001:200::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn other_addresses_are_not_public() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:0:53aa:64c::1",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }
}
